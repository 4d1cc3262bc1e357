/**
 * The command line: {@code serve}, {@code migrate}, {@code token}, {@code config}. What may enter is
 * a command that a person or an init system runs; what it starts comes in as a {@code Server}.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.cli;
