/** Load tests: what is asked, by whom, how often, and how quick the answers have to be. */
package dev.askgateway.load;
