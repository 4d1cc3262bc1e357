/** The wire format of Google's Gemini: generateContent, streamed, and embedContent. */
@org.jspecify.annotations.NullMarked
package dev.askgateway.provider.gemini;
