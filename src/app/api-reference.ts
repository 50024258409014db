import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { RateLimited } from '#shared/kernel/domain-error.js';
import {
  prepareAnswer,
  sendPrepared,
  type PreparedAnswer,
} from '#shared/platform/http/answers/prepared-answer.js';
import { CallerAddress } from '#shared/platform/http/callers/caller-address.js';
import { CallerLimits, perMinutePolicy } from '#shared/platform/http/callers/caller-limits.js';
import { RateNotice, setRateFields } from '#shared/platform/http/callers/rate-fields.js';
import { fillExamples } from '#shared/platform/http/openapi/example-values.js';
import { buildOpenApiDocument } from '#shared/platform/http/openapi/openapi.js';
import { SERVICE_VERSION } from '#shared/platform/http/outgoing/service-agent.js';
import { describeSandbox, leaveOptionalParametersEmpty, swaggerUiOptions } from './reference-page.js';
import type { ProcessSettings } from './settings/process-settings.js';

/** One address may read the page with its parts some ten times, or the document a hundred times. */
const READING = perMinutePolicy('reference', 100);

const DESCRIPTION = `Collect crypto-asset payments and reconcile them.

Exchange an API key id and its secret for an access token at \`POST /v1/auth/token\`. Send two headers with every request:
\`Authorization: Bearer <token>\` and \`x-service-api-key: <API key id>\`. To try requests on this page, click **Authorize** and
enter both values.

Every response is \`{"status": "success", "data": …}\` or \`{"status": "error", "code", "message", …, "request_id"}\`.
Amounts are decimal strings such as \`"12.50"\`. Times are ISO 8601 in UTC.`;

const LICENSE = { name: 'MIT', url: 'https://opensource.org/license/mit' };

const TAGS = {
  Authentication: 'Access tokens for API keys.',
  Accounts: 'Parts of an organization whose funds are kept separate.',
  'Points of sale': 'Physical or online entry points for payments, on which payment requests are created.',
  Assets: 'Tokens and coins that the service can collect.',
  'Payment requests': 'Request a payment, directly or with a hosted checkout, and track it.',
  'Payment links': 'Pages that open a checkout for each payer.',
  Tills: 'Phones that are paired with a point of sale.',
  'Public checkout': 'Operations for payers and their wallets. They need no credentials.',
  Transactions: 'Ledger records, settlements, statements and the journal.',
  Refunds: 'Pay back received funds, from a refund float that you top up.',
  Subscriptions: 'Amounts charged on each due date, once a wallet has accepted.',
  Webhooks: 'Receive events as signed deliveries, or read them from the event log.',
  NASPIP: 'Payment tokens, and the public keys that verify them.',
  Operation: 'Health checks for the operator of the service.',
};

/** The document that is committed under \`openapi/\`: the same code makes the same bytes on every machine. */
export function describeApi(app: INestApplication, serverUrls: string[]): OpenAPIObject {
  return buildOpenApiDocument(app, {
    title: 'Payment Collection Service',
    version: SERVICE_VERSION,
    description: DESCRIPTION,
    tags: TAGS,
    license: LICENSE,
    serverUrls,
  });
}

/**
 * Swagger UI at /docs, where a reader can authorize and try every call; the document itself at /docs-json. The first server is
 * wherever the page was opened from, since the page may call nobody else.
 */
export function serveReference(
  app: INestApplication,
  { publicUrl, docsExamples }: Pick<ProcessSettings, 'publicUrl' | 'docsExamples'>,
): void {
  // Made for the first reader: it takes a fifth of a start, and most processes never have one.
  let made: OpenAPIObject | undefined;
  const document = () => {
    if (made === undefined) {
      made = describeApi(app, ['/', publicUrl]);
      fillExamples(made, docsExamples);
      leaveOptionalParametersEmpty(made);
      describeSandbox(made, docsExamples);
    }
    return made;
  };
  limitReading(app);
  serveOnceMade(app, document);
  SwaggerModule.setup('docs', app, document, {
    raw: false,
    swaggerOptions: swaggerUiOptions(docsExamples),
    customSiteTitle: 'Payment Collection Service',
  });
}

/** Large answers without a credential: without a limit a few callers who do not read them fill the system's buffers. */
function limitReading(app: INestApplication): void {
  const limits = app.get(CallerLimits);
  const addresses = app.get(CallerAddress);
  const notice = new RateNotice(READING);
  app.use(['/docs', '/docs-json'], (request: Request, response: Response, next: NextFunction) => {
    const caller = addresses.callerOf(request);
    const wait = limits.takeOf(caller, READING.name, READING.quota);
    if (wait > 0) return next(new RateLimited(wait, READING));
    const { left, seconds } = limits.leftOf(caller, READING.name, READING.quota);
    setRateFields(response, notice.fields(READING.name, left, seconds));
    next();
  });
}

/** Anybody may ask for it, and Swagger's own route would make half a megabyte of JSON for each who does. */
function serveOnceMade(app: INestApplication, document: () => OpenAPIObject): void {
  let prepared: PreparedAnswer | undefined;
  const adapter = app.getHttpAdapter();
  adapter.get('/docs-json', (_request: Request, response: Response) => {
    sendPrepared(response, (prepared ??= prepareAnswer('json', JSON.stringify(document()))));
  });
}
