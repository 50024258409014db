import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { createDataSource } from '../shared/platform/database/data-source.js';
import { composeService } from './composition.js';
import { describeApi } from './api-reference.js';
import { shapeSettings } from './shape-settings.js';

const FILE = new URL('../../openapi/openapi.json', import.meta.url);

/** The document as it would be committed now. */
async function generate(): Promise<string> {
  const settings = shapeSettings();
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
