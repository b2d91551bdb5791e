"""A durable belief store: journal, time, access and the command line over the core of `agm`."""
