/** Error whose message is printed to the terminal. The message says what is wrong and what to do. */
export class CommandFailed extends Error {}
