/** Who asks: bearer tokens, the keys that sign them, and the person they name. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.intake.auth;
