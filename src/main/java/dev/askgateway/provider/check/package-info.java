/** Whether a configured model keeps its promises, found out by asking it (spec D4). */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.check;
