import { connect, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CallerAddress, parseTrustedProxies } from '../callers/caller-address.js';
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

/** The server is of this process: what it has to say comes within so many turns of the event loop, or never. */
const SILENT_TURNS = 40;

/** The test's own address is a proxy that is trusted, so that a test can name its caller. */
const fromAnywhere = new CallerAddress(new HttpSettings(parseTrustedProxies('127.0.0.1')));

@Module({
  controllers: [ThingsController, FormController, FailuresController, OpenController],
  providers: [{ provide: CallerAddress, useValue: fromAnywhere }],
})
class ExampleModule {}

export interface ExampleApi {
  app: NestExpressApplication;
  url: string;
  port: number;
  logLines: Record<string, unknown>[];
  /**
   * Sends these bytes on a socket of their own and reads until the server closes it, or falls silent.
   * @param until reads, however long the server is silent, until this has come, or until the server closes it
   */
  raw(request: string | Buffer, until?: RegExp | 'closed'): Promise<string>;
  close(): Promise<void>;
}

/** A small API over real HTTP with everything `configureHttp` installs, and no guards. */
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
