import { connect, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CallerAddressResolver, parseTrustedProxies } from '../callers/caller-address-resolver.js';
import { HttpSettings } from '../callers/http-settings.js';
import { JsonLogger } from '../../logging/logger.js';
import { type HttpOptions, configureHttp } from '../server/http-application.js';
import { HttpAdapter } from '../server/http-server.js';

import {
  FailuresController,
  FormController,
  OpenController,
  ThingsController,
} from './example-controllers.js';

/**
 * Number of event loop iterations without data after which the server is considered silent. It runs in the same process
 * as the test.
 */
const SILENT_TURNS = 40;

/** Trusts the address of the test as a proxy, so that a test can choose the caller's address in X-Forwarded-For. */
const fromAnywhere = new CallerAddressResolver(new HttpSettings(parseTrustedProxies('127.0.0.1')));

@Module({
  controllers: [ThingsController, FormController, FailuresController, OpenController],
  providers: [{ provide: CallerAddressResolver, useValue: fromAnywhere }],
})
class ExampleModule {}

export interface ExampleApi {
  app: NestExpressApplication;
  url: string;
  port: number;
  logLines: Record<string, unknown>[];
  /**
   * Sends raw bytes on a new connection and reads until the server closes it or falls silent.
   * @param until instead reads until this text has arrived, or until the server closes the connection, however long
   * that takes
   */
  raw(request: string | Buffer, until?: RegExp | 'closed'): Promise<string>;
  close(): Promise<void>;
}

/** Starts a small API over real HTTP with everything that `configureHttp` installs, without guards. */
export async function startExampleApi(options: Partial<HttpOptions> = {}): Promise<ExampleApi> {
  const logLines: Record<string, unknown>[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const logger = new JsonLogger({ level: 'info', destination });
  const app = await NestFactory.create<NestExpressApplication>(ExampleModule, new HttpAdapter(), {
    bodyParser: false,
    logger,
  });
  configureHttp(app, { logger, ...options });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;

  const raw: ExampleApi['raw'] = (request, until) =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      let answer = '';
      let silent = 0;
      const turns = setInterval(
        () => (silent += 1) > SILENT_TURNS && until === undefined && socket.destroy(),
        10,
      );
      socket.on('data', (chunk) => {
        answer += chunk.toString();
        silent = 0;
        if (until instanceof RegExp && until.test(answer)) socket.destroy();
      });
      socket.on('error', reject).on('close', () => {
        clearInterval(turns);
        resolve(answer);
      });
    });
  return { app, url: `http://127.0.0.1:${port}`, port, logLines, raw, close: () => app.close() };
}
