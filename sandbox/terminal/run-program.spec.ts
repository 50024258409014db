import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { terminalOutput } from './terminal-output.js';
import { onStopRequest, type StopRequest } from './run-program.js';

let said: string[];
let exits: unknown[];
let requested: StopRequest;

beforeEach(() => {
  jest.useFakeTimers();
  said = [];
  exits = [];
  jest.spyOn(process, 'exit').mockImplementation((status) => exits.push(status) as never);
  requested = onStopRequest(terminalOutput((line) => said.push(line)));
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
});

describe('A request to stop', () => {
  it('is counted once for one Ctrl-C, though both the terminal and npm report it', () => {
    process.emit('SIGINT', 'SIGINT');
    jest.advanceTimersByTime(100);
    process.emit('SIGINT', 'SIGINT');

    expect([requested.already(), exits, said]).toEqual([true, [], []]);
  });

  it('ends the program immediately if Ctrl-C is pressed again', () => {
    process.emit('SIGINT', 'SIGINT');
    jest.advanceTimersByTime(1_000);
    process.emit('SIGINT', 'SIGINT');

    expect([exits, said]).toEqual([[130], ['Ended immediately.']]);
  });
});
