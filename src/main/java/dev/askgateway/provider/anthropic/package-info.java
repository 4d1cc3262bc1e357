/** The wire format of Anthropic's Messages. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.anthropic;
