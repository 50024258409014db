import { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { type LogLevel, JsonLogger } from './logger.js';
import { currentRequestId, runWithRequestId } from './request-context.js';

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
  it('writes one JSON object per line with level, time, context and the process', () => {
    const { lines, logger } = capture();

    logger.log('started', 'Bootstrap');

    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        process: 'api',
        context: 'Bootstrap',
        msg: 'started',
      },
    ]);
  });

  it('keeps silent below its level', () => {
    const { lines, logger } = capture('warn');

    logger.log('a');
    logger.debug('b');
    logger.verbose('c');
    logger.warn('d');
    logger.fatal('e');

    expect(lines.map((line) => line.msg)).toEqual(['d', 'e']);
  });

  it('redacts secrets wherever they are put', () => {
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

  it('writes a line of known fields as it is, with the request’s id once', () => {
    const { lines, logger } = capture('info');

    runWithRequestId('r-2', () =>
      logger.plainEvent('A request was served.', { status: 200, request_id: 'r-2', token: 'kept' }),
    );

    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        process: 'api',
        status: 200,
        request_id: 'r-2',
        token: 'kept',
        msg: 'A request was served.',
      },
    ]);
  });

  it('shows an error with its stack and cause, but not what drivers hang on it', () => {
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

  it('serves Nest’s own loggers', () => {
    const { lines, logger } = capture();

    Logger.overrideLogger(logger);
    new Logger('Watcher').warn('behind');
    Logger.overrideLogger(['error']);

    expect(lines).toMatchObject([{ level: 'warn', context: 'Watcher', msg: 'behind' }]);
  });

  it('carries the request id through everything a request starts', async () => {
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
