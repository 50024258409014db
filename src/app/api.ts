import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CheckoutSettings } from '../contexts/payments/infrastructure/requests/checkout-settings.js';
import { HostedFailurePages } from '../contexts/payments/infrastructure/checkout/http/hosted-failure-pages.js';
import { EarlyCheckoutAnswers } from '../contexts/payments/infrastructure/checkout/polling/early-checkout-answers.js';
import { HttpSettings } from '../shared/platform/http/callers/http-settings.js';
import { answerEarly } from '../shared/platform/http/server/early-answers.js';
import { configureHttp } from '../shared/platform/http/server/http-application.js';
import { HttpAdapter } from '../shared/platform/http/server/http-server.js';
import type { JsonLogger } from '../shared/platform/logging/logger.js';
import { composeService, connect } from './composition.js';
import { serveReference } from './api-reference.js';
import type { Settings } from './settings.js';

/** The HTTP process. */
export async function startApi(settings: Settings, logger: JsonLogger): Promise<void> {
  const app = await createApi(settings, logger);
  const { httpHost, httpPort } = settings.process;
  await app.listen(httpPort, httpHost);
  logger.log(`The API listens on http://${httpHost}:${httpPort}.`, 'api');
}

async function createApi(settings: Settings, logger: JsonLogger): Promise<NestExpressApplication> {
  const dataSource = await connect('api', settings, logger);
  const app = await NestFactory.create<NestExpressApplication>(
    composeService('api', settings, dataSource),
    new HttpAdapter(),
    { logger, bodyParser: false, abortOnError: false },
  );
  const { ownOrigins, otherOrigin } = app.get(CheckoutSettings);
  configureHttp(app, {
    logger,
    mostConnections: app.get(HttpSettings).mostConnections,
    docsPath: '/docs',
    formPaths: ['/checkout/', '/link/', '/refund/', '/subscription/'],
    failurePages: app.get(HostedFailurePages),
    openPaths: ['/public/', '/.well-known/naspip-keys'],
    ownOrigins,
    allowedOrigin: otherOrigin,
  });
  answerEarly(app.getHttpServer(), app.get(EarlyCheckoutAnswers));
  serveReference(app, settings.process);
  return app;
}
