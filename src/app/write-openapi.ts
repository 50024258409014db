import 'reflect-metadata';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { createDataSource } from '#shared/platform/database/data-source.js';
import { composeService } from './composition.js';
import { describeApi, describeEvents } from './api-reference.js';
import { placeholderSettings } from './settings/placeholder-settings.js';

const OPENAPI_FOLDER = 'openapi';

/** One document for both files, so that they are consistent. */
async function generateOpenApiFiles(): Promise<Record<string, string>> {
  const settings = placeholderSettings();
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
  const document = describeApi(app, ['{base_url}']);
  return { 'openapi.json': formatJson(document), 'events.schema.json': formatJson(describeEvents(document)) };
}

function formatJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

for (const [name, text] of Object.entries(await generateOpenApiFiles())) {
  const file = new URL(`../../${OPENAPI_FOLDER}/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stderr.write(
      `${OPENAPI_FOLDER}/${name} differs from the code. Run \`npm run openapi\` and read the difference.\n`,
    );
    process.exitCode = 1;
  }
}
