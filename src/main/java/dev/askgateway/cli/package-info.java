/**
 * The command line: {@code serve}, {@code migrate}, {@code token}, {@code config}, {@code provider
 * check}. What may enter is a command that a person or an init system runs; what it starts or asks
 * comes in as a {@code Server} and as {@code Checks}.
 */
@org.jspecify.annotations.NullMarked
package dev.askgateway.cli;
