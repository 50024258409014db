import { readFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { fillExamples } from '../shared/platform/http/openapi/example-values.js';
import { buildOpenApiDocument } from '../shared/platform/http/openapi/openapi.js';
import type { ProcessSettings } from './process-settings.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const DESCRIPTION = `Collect crypto-asset payments and reconcile them.

Exchange an API key and its secret at \`POST /v1/auth/token\`, then send both headers with every call:
\`Authorization: Bearer <token>\` and \`x-service-api-key: <key id>\`. Here: **Authorize**, fill in both, and try.

Every answer is \`{"status": "success", "data": …}\` or \`{"status": "error", "code", "message", …, "request_id"}\`.
Amounts are decimal strings, times ISO 8601 in UTC.`;

const LICENSE = { name: 'MIT', url: 'https://opensource.org/license/mit' };

const TAGS = {
  Authentication: 'Access tokens for API keys.',
  Accounts: 'The parts of an organization whose money is kept apart.',
  'Points of sale': 'Where payment requests are created.',
  Assets: 'Tokens and coins that can be collected here.',
  'Payment requests': 'Ask for a payment, directly or by a hosted checkout, and follow it.',
  'Payment links': 'Pages that open a checkout for each payer.',
  'Public checkout': 'For payers and their wallets, without credentials.',
  Transactions: 'The ledger: what has come and stands.',
  Webhooks: 'Be told of payments: signed deliveries, and the log of events to read on from.',
  NASPIP: 'Keys with which wallets verify payment tokens.',
  Operation: 'For whoever runs the service.',
};

/** The document that is committed under \`openapi/\`: the same code gives the same bytes on every machine. */
export function describeApi(app: INestApplication, serverUrls: string[]): OpenAPIObject {
  return buildOpenApiDocument(app, {
    title: 'Payment Collection Service',
    version,
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
  const document = describeApi(app, ['/', publicUrl]);
  fillExamples(document, docsExamples);
  SwaggerModule.setup('docs', app, document, {
    // What a reader authorizes with stays in the page's memory: a browser's storage outlives the reader.
    swaggerOptions: { persistAuthorization: false, displayRequestDuration: true },
    customSiteTitle: 'Payment Collection Service',
  });
}
