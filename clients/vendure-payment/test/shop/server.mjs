// Starts a Vendure server with the plugin: a shop that sells a mug for 10 USD plus 2.50 USD shipping.
import { mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentCollectionPlugin } from 'payment-collection-vendure';

const require = createRequire(import.meta.url);
const { DefaultLogger, mergeConfig } = require('@vendure/core');
const {
  createTestEnvironment,
  PostgresInitializer,
  registerInitializer,
  testConfig,
} = require('@vendure/testing');
const { PORT, DATABASE_URL, OPTIONS, PRODUCTS } = process.env;

registerInitializer('postgres', new PostgresInitializer());
const { hostname: host, port, username, password } = new URL(DATABASE_URL);
const { server } = createTestEnvironment(
  mergeConfig(testConfig, {
    logger: new DefaultLogger({ level: 1 }),
    apiOptions: { port: Number(PORT) },
    dbConnectionOptions: {
      type: 'postgres',
      host,
      port: Number(port),
      username,
      password,
      synchronize: true,
    },
    importExportOptions: { importAssetsDir: mkdtempSync(join(tmpdir(), 'assets-')) },
    plugins: [PaymentCollectionPlugin.init(JSON.parse(OPTIONS))],
  }),
);
await server.init({
  productsCsvPath: PRODUCTS,
  customerCount: 1,
  initialData: {
    defaultLanguage: 'en',
    defaultZone: 'Americas',
    countries: [{ name: 'United States of America', code: 'US', zone: 'Americas' }],
    taxRates: [{ name: 'standard', percentage: 0 }],
    shippingMethods: [{ name: 'Post', price: 250 }],
    paymentMethods: [{ name: 'crypto', handler: { code: 'payment-collection', arguments: [] } }],
    collections: [],
  },
});
process.stdout.write('ready\n');
