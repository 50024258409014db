import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { RateLimited } from '#shared/kernel/domain-error.js';
import {
  prepareAnswer,
  sendPrepared,
  type PreparedAnswer,
} from '#shared/platform/http/answers/prepared-answer.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import { WindowRateLimits, perMinuteRateLimit } from '#shared/platform/http/callers/window-rate-limits.js';
import {
  RateLimitHeaderBuilder,
  setRateLimitHeaders,
} from '#shared/platform/http/callers/rate-limit-headers.js';
import { fillExamples } from '#shared/platform/http/openapi/example-values.js';
import { buildOpenApiDocument } from '#shared/platform/http/openapi/openapi.js';
import { SERVICE_VERSION } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { jsonSchemaOf } from '#shared/platform/http/openapi/json-schema.js';
import { describeSandbox, leaveOptionalParametersEmpty, swaggerUiOptions } from './reference-page.js';
import type { ProcessSettings } from './settings/process-settings.js';

/** Maximum requests for the API reference per minute and IP address. */
const REFERENCE_RATE_LIMIT = perMinuteRateLimit('reference', 100);

const API_DESCRIPTION = `Collect crypto-asset payments and reconcile them.

**How it works.** An organization has accounts, and an account has points of sale. Create one payment request per payment
attempt on a point of sale. Show its payment token (a signed NASPIP message that wallets read) as a QR code, or redirect the
payer to the hosted checkout. Follow the payment by webhooks, or poll the payment request. Each confirmed payment becomes a
\`payment_in\` transaction in the ledger.

**Authentication.** Exchange your API Key ID and API Secret for an access token at \`POST /v1/auth/token\`. The token is valid
for 1 hour. Send both headers with every request: \`Authorization: Bearer <access token>\` and
\`x-service-api-key: <API Key ID>\`. To try requests on this page, choose **Authorize** and fill in both. Operations below
\`/public\` need no credentials.

**Responses.** A success is HTTP 200 with \`{"status": "success", "data": …}\`. An error is
\`{"status": "error", "code": …, "message": …, "request_id": …}\`. Use \`code\` in programs. A field that does not apply is
absent. New fields and values can be added at any time; ignore those you do not know.

**Formats.** Amounts are decimal strings in whole units, such as \`"12.5"\`. Times are ISO 8601 in UTC. Ids of records are UUIDs.

**Lists.** Read page by page with \`page\` and \`page_size\`, or send \`next\` of each response as \`after\` to read a list that
changes while you read it.

**Retries.** Send an \`Idempotency-Key\` with requests that create something, so that a retry does not create it twice. Rate
limits return 429 with \`Retry-After\`.`;

const API_LICENSE = { name: 'MIT', url: 'https://opensource.org/license/mit' };

const API_TAGS = {
  Authentication: 'Exchange API keys for access tokens.',
  Accounts: 'Parts of an organization whose funds are kept separate.',
  'Points of sale': 'Payment entry points, physical or online, on which payment requests are created.',
  Assets: 'Tokens and coins that this service can collect.',
  'Payment requests': 'Request a payment, directly or with a hosted checkout, and track it.',
  'Payment links': 'Shareable pages that open a separate checkout for each payer.',
  Tills: 'Phones paired with a point of sale.',
  'Public checkout': 'Operations for payers and their wallets. No credentials required.',
  Transactions: 'Ledger records, settlements and statements, for reconciliation.',
  Refunds: 'Return received payments to payers, from a refund float or your own wallet.',
  Subscriptions: 'Recurring charges to wallets that have accepted them.',
  Webhooks: 'Notifications of payments by signed webhooks, and the event log to catch up from.',
  NASPIP: 'Public keys and verification of NASPIP payment tokens.',
  Operation: 'Health check, for the operator of the service.',
};

/** The output is byte-identical on every machine. */
export function describeApi(app: INestApplication, serverUrls: string[]): OpenAPIObject {
  return buildOpenApiDocument(app, {
    title: 'Payment Collection Service',
    version: SERVICE_VERSION,
    description: API_DESCRIPTION,
    tags: API_TAGS,
    license: API_LICENSE,
    serverUrls,
  });
}

/** Lists the page's own origin as the first server, because its content security policy allows no other. */
export function serveApiReference(
  app: INestApplication,
  { publicUrl, docsExamples }: Pick<ProcessSettings, 'publicUrl' | 'docsExamples'>,
): void {
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
  limitReferenceRequests(app);
  serveSerializedDocument(app, document);
  SwaggerModule.setup('docs', app, document, {
    raw: false,
    swaggerOptions: swaggerUiOptions(docsExamples),
    customSiteTitle: 'Payment Collection Service',
  });
}

/** Clients that do not read the large responses could fill the system's buffers. */
function limitReferenceRequests(app: INestApplication): void {
  const limits = app.get(WindowRateLimits);
  const addresses = app.get(CallerAddressResolver);
  const notice = new RateLimitHeaderBuilder(REFERENCE_RATE_LIMIT);
  app.use(['/docs', '/docs-json'], (request: Request, response: Response, next: NextFunction) => {
    const caller = addresses.callerAddressRangesOf(request);
    const wait = limits.countCallInRanges(caller, REFERENCE_RATE_LIMIT.name, REFERENCE_RATE_LIMIT.quota);
    if (wait > 0) return next(new RateLimited(wait, REFERENCE_RATE_LIMIT));
    const { left, seconds } = limits.remainderOf(
      caller,
      REFERENCE_RATE_LIMIT.name,
      REFERENCE_RATE_LIMIT.quota,
    );
    setRateLimitHeaders(response, notice.headers(REFERENCE_RATE_LIMIT.name, left, seconds));
    next();
  });
}

/** Swagger's own route would serialize half a megabyte of JSON on each request. */
function serveSerializedDocument(app: INestApplication, document: () => OpenAPIObject): void {
  let prepared: PreparedAnswer | undefined;
  const adapter = app.getHttpAdapter();
  adapter.get('/docs-json', (_request: Request, response: Response) => {
    sendPrepared(response, (prepared ??= prepareAnswer('json', JSON.stringify(document()))));
  });
}

const EVENTS_DESCRIPTION =
  'Body of an event, as it is sent to webhooks and as `GET /v1/events` returns it in the string `body`. ' +
  '`data.notification_type` identifies the type of the event. New fields, values and events can be added ' +
  'at any time; ignore ' +
  'those you do not know.';

interface EventSchema {
  properties?: Record<string, { 'x-json-schemas'?: { $ref: string }[] }>;
}

export function describeEvents(document: OpenAPIObject): object {
  const event = document.components?.schemas?.['Event'] as EventSchema | undefined;
  const bodies = event?.properties?.['body']?.['x-json-schemas'] ?? [];
  if (bodies.length === 0) throw new Error('The API reference contains no schemas for event bodies.');
  return jsonSchemaOf(document, {
    title: 'Events of the Payment Collection Service',
    description: EVENTS_DESCRIPTION,
    oneOf: bodies.map(({ $ref }) => $ref.slice($ref.lastIndexOf('/') + 1)),
  });
}
