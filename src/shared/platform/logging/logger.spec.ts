import { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { type LogLevel, JsonLogger, currentRequestId, runWithRequestId } from './logger.js';

function capture(level: LogLevel = 'trace') {
  const lines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, logger: new JsonLogger({ level, destination, base: { process: 'api' } }) };
}

describe('The logger', () => {
  it('writes one JSON object per line with level, time, process and the fields of the line', () => {
    const { lines, logger } = capture('info');
    const common = { level: 'info', time: expect.stringMatching(/^\d{4}-.*Z$/), process: 'api' };

    logger.log('started', 'Bootstrap');
    runWithRequestId('r-2', () =>
      logger.logUnredacted('Served.', { status: 200, request_id: 'r-2', token: 'kept' }),
    );

    expect(lines).toEqual([
      { ...common, context: 'Bootstrap', msg: 'started' },
      { ...common, status: 200, request_id: 'r-2', token: 'kept', msg: 'Served.' },
    ]);
  });

  it('omits lines below its level, and writes those of Nest', () => {
    const { lines, logger } = capture('warn');

    for (const level of ['log', 'debug', 'verbose', 'fatal'] as const) logger[level](level);
    Logger.overrideLogger(logger);
    new Logger('Watcher').warn('behind');
    Logger.overrideLogger(['error']);

    expect(lines).toMatchObject([{ msg: 'fatal' }, { level: 'warn', context: 'Watcher', msg: 'behind' }]);
  });

  it('redacts secrets at every depth', () => {
    const { lines, logger } = capture();

    logger.log({
      msg: 'x',
      authorization: 's3cret',
      headers: { authorization: 's3cret' },
      a: { b: { api_secret: 's3cret' } },
    });
    logger.log({ secret: 's3cret', token: 's3cret', kept: 1 });

    expect(JSON.stringify(lines)).not.toContain('s3cret');
    expect(lines[1]).toMatchObject({ kept: 1, secret: '[redacted]' });
  });

  it('includes the stack and cause of an error, but no fields that drivers add', () => {
    const { lines, logger } = capture();
    const error = Object.assign(new Error('boom', { cause: new Error('beneath') }), {
      code: '23505',
      parameters: ['s3cret'],
    });

    logger.error(error, 'Worker');
    logger.error('broke', error.stack, 'Worker');

    expect(lines[0]).toMatchObject({
      msg: 'boom',
      context: 'Worker',
      err: { code: '23505', stack: expect.any(String), cause: { message: 'beneath' } },
    });
    expect(lines[1]).toMatchObject({ msg: 'broke', stack: error.stack, context: 'Worker' });
    expect(JSON.stringify(lines)).not.toContain('s3cret');
  });

  it('includes the request id in everything that a request starts', async () => {
    const { lines, logger } = capture();

    await runWithRequestId('r-1', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      logger.log('inside');
    });
    logger.log('outside');

    expect(lines.map((line) => line.request_id)).toEqual(['r-1', undefined]);
    expect(currentRequestId()).toBeUndefined();
  });
});
