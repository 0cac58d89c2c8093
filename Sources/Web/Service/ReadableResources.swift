/// All that the daemon's API has to read.
package let readableResources = readResources
