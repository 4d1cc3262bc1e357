/** The wire format of OpenAI's chat completions and of the many servers that speak like it. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.openai;
