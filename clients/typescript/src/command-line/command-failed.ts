/** A sentence for the terminal: what is wrong and what to do. */
export class CommandFailed extends Error {}
