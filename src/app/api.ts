import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DashboardFailurePages } from '#contexts/identity/infrastructure/people/dashboard/dashboard-failure-pages.js';
import { INSTALLATION_SETTING } from '#shared/platform/http/dashboard/dashboard-answer.js';
import type { Installation } from '#shared/web/dashboard/dashboard-page.js';
import { RecentSecondFactorGuard } from '#contexts/identity/infrastructure/people/dashboard/recent-second-factor.guard.js';
import { CheckoutPresenter } from '#contexts/payments/infrastructure/requests/http/checkout-presenter.js';
import { CheckoutSettings } from '#contexts/payments/infrastructure/requests/checkout-settings.js';
import { HostedFailurePages } from '#contexts/payments/infrastructure/checkout/http/hosted-failure-pages.js';
import { EarlyCheckoutResponder } from '#contexts/payments/infrastructure/checkout/polling/early-checkout-responder.js';
import { AUTHORIZATION_PATH_PATTERN } from '#contexts/payments/infrastructure/authorizations/http/authorization.controller.js';
import { MAIL_CONSENT_PATH } from '#contexts/notifications/application/notification-links.js';
import { HttpSettings } from '#shared/platform/http/callers/http-settings.js';
import { DASHBOARD_PATH, DashboardSettings } from '#shared/platform/http/dashboard/dashboard-settings.js';
import { installEarlyResponder } from '#shared/platform/http/server/early-responder.js';
import { configureHttp } from '#shared/platform/http/server/http-application.js';
import { HttpAdapter } from '#shared/platform/http/server/http-server.js';
import { HttpMetrics } from '#shared/platform/http/server/http-metrics.js';
import { PlatformModule } from '#shared/platform/platform.module.js';
import { trackReadAfterWrite } from '#shared/platform/http/server/track-read-after-write.js';
import type { Replica } from '#shared/platform/replica/replica.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '#shared/platform/logging/platform-log-events.js';
import type { JsonLogger } from '#shared/platform/logging/logger.js';
import { composeService, connectToDatabase } from './composition.js';
import { serveApiReference } from './api-reference.js';
import { listenForMetrics, startTracing, shutdownSignals } from './run-process.js';
import type { Settings } from './settings/settings.js';

const PAYER_PATHS = ['/checkout/', '/link/', '/refund/', '/subscription/', '/receipt/'];
const TILL_CODE_PATH = '/pos/';
const UNSUBSCRIBE_PATH = '/unsubscribe/';
const ONE_CLICK_UNSUBSCRIBE_PATHS = new RegExp(
  `^(?:${MAIL_CONSENT_PATH}/|${UNSUBSCRIBE_PATH})[A-Za-z0-9_-]{23,44}$`,
);

export async function startApi(settings: Settings, logger: JsonLogger): Promise<void> {
  await startTracing(settings.process, 'api');
  const app = await createApi(settings, logger);
  const log = new OperatorLogWriter('api', PLATFORM_LOG_EVENTS, logger);
  const { httpHost, httpPort, environment } = settings.process;
  if (environment !== 'development' && app.get(HttpSettings).trustedProxies.length === 0)
    log.write('api.no_trusted_proxies');
  await listenForMetrics(app, settings.process, logger);
  // Checks payment by signature before the API listens, so that its first responses already offer it.
  await app.get(CheckoutPresenter).signatures.requestAllTokenDomains();
  await findReplica(app)?.startSamplingPrimary();
  await app.listen(httpPort, httpHost);
  log.write('api.listening', { url: `http://${httpHost}:${httpPort}` });
}

function findReplica(app: NestExpressApplication): Replica | undefined {
  return app.get(PlatformModule).replica;
}

async function createApi(settings: Settings, logger: JsonLogger): Promise<NestExpressApplication> {
  const dataSource = await connectToDatabase('api', settings, logger);
  const app = await NestFactory.create<NestExpressApplication>(
    composeService('api', settings, dataSource),
    new HttpAdapter(),
    { logger, bodyParser: false, abortOnError: false },
  );
  const { ownOrigins, otherOrigin } = app.get(CheckoutSettings);
  const counted =
    settings.process.metrics === undefined ? undefined : app.get(HttpMetrics, { strict: false });
  const replica = findReplica(app);
  configureHttp(app, {
    logger,
    followRequests: trackReadAfterWrite(replica),
    observe: counted && ((request) => counted.countRequest(request)),
    mostConnections: app.get(HttpSettings).mostConnections,
    timeouts: { keepAlive: settings.process.keepAliveSeconds * 1_000 },
    docsPath: '/docs',
    hstsIncludesSubdomains: app.get(HttpSettings).hstsIncludesSubdomains,
    formPaths: [...PAYER_PATHS, TILL_CODE_PATH, DASHBOARD_PATH, `${MAIL_CONSENT_PATH}/`],
    errorPageSender: [
      { paths: [...PAYER_PATHS, UNSUBSCRIBE_PATH], failures: app.get(HostedFailurePages) },
      { paths: [TILL_CODE_PATH], failures: app.get(HostedFailurePages), onlyBrowsers: true },
      { paths: [DASHBOARD_PATH, `${MAIL_CONSENT_PATH}/`], failures: app.get(DashboardFailurePages) },
    ],
    openPaths: ['/public/', TILL_CODE_PATH, '/.well-known/naspip-keys'],
    provenPaths: AUTHORIZATION_PATH_PATTERN,
    oneClickPaths: ONE_CLICK_UNSUBSCRIBE_PATHS,
    ownOrigins: [...ownOrigins, app.get(DashboardSettings).origin],
    allowedOrigin: otherOrigin,
    stopSignals: shutdownSignals(settings),
  });
  app.set(INSTALLATION_SETTING, {
    isTestMode: settings.process.environment !== 'production',
    origin: app.get(DashboardSettings).origin,
    documentationUrl: app.get(DashboardSettings).documentationUrl,
  } satisfies Installation);
  app.useGlobalGuards(app.get(RecentSecondFactorGuard));
  installEarlyResponder(
    app.getHttpServer(),
    app.get(EarlyCheckoutResponder),
    counted && (() => counted.countEarlyAnswer()),
  );
  serveApiReference(app, settings.process);
  return app;
}
