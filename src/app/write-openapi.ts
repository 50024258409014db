import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { generatePaserkKeyPair } from '../shared/naspip/paserk.js';
import { createDataSource } from '../shared/platform/database/data-source.js';
import { composeService } from './composition.js';
import { describeApi } from './reference.js';
import { readSettings } from './settings.js';

const FILE = new URL('../../openapi/openapi.json', import.meta.url);

/** Settings of the right shape: describing the API touches neither database nor network nor key. */
const SHAPE_ONLY = {
  SERVICE_ENV: 'development',
  DATABASE_URL: 'postgres://127.0.0.1/unused',
  TOKEN_SIGNING_KEYS: `shape:${'A'.repeat(43)}`,
  WEBHOOK_SECRET_KEYS: `shape:${'A'.repeat(43)}`,
  NASPIP_ISSUER: 'shape',
  NASPIP_KEY_ID: 'shape',
  NASPIP_SECRET_KEY: generatePaserkKeyPair().secretKey,
  NASPIP_KEY_EXPIRES_AT: '2100-01-01T00:00:00Z',
  NETWORKS_FILE: fileURLToPath(new URL('../../docs/networks/evm-networks.json', import.meta.url)),
};

/** The document as it would be committed now. */
async function generate(): Promise<string> {
  const settings = readSettings(SHAPE_ONLY);
  const dataSource = createDataSource({
    databaseUrl: settings.process.databaseUrl,
    poolSize: 1,
    applicationName: 'openapi',
    onPoolError: () => undefined,
  });
  const app = await NestFactory.create(composeService('api', settings, dataSource), {
    preview: true,
    logger: false,
  });
  return `${JSON.stringify(describeApi(app, ['{base_url}']), null, 2)}\n`;
}

const document = await generate();
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, document);
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== document) {
  process.stderr.write(
    'openapi/openapi.json differs from the code. Run `npm run openapi` and read the difference.\n',
  );
  process.exit(1);
}
