// Starts a Vendure server with the plugin: a shop that sells a mug for 10 USD plus 2.50 USD shipping.
import { existsSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PaymentCollectionPlugin } from 'payment-collection-vendure';

const require = createRequire(import.meta.url);
const { DefaultLogger, DefaultSchedulerPlugin, dummyPaymentHandler, mergeConfig } = require('@vendure/core');
const {
  createTestEnvironment,
  PostgresInitializer,
  registerInitializer,
  testConfig,
} = require('@vendure/testing');
const { PORT, DATABASE_URL, OPTIONS, PRODUCTS } = process.env;

// The reader of the guide saves this file and creates the payment method.
const guided = new URL('./src/payment-collection.js', import.meta.url);
const isGuided = existsSync(guided);
const plugin = isGuided
  ? (await import(guided)).paymentCollection
  : PaymentCollectionPlugin.init(JSON.parse(OPTIONS));

registerInitializer('postgres', new PostgresInitializer());
const { hostname: host, port, username, password } = new URL(DATABASE_URL);
const { server } = createTestEnvironment(
  mergeConfig(testConfig, {
    logger: new DefaultLogger({ level: 1 }),
    dbConnectionOptions: {
      type: 'postgres',
      host,
      port: Number(port),
      username,
      password,
      synchronize: true,
    },
    importExportOptions: { importAssetsDir: mkdtempSync(join(tmpdir(), 'assets-')) },
    paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
    // A production shop runs tasks in its worker.
    schedulerOptions: { runTasksInWorkerOnly: false },
    plugins: [DefaultSchedulerPlugin.init({ manualTriggerCheckInterval: 500 }), plugin],
  }),
);
// The server starts once to create the shop. Only the second start has the port.
const populate = server.populateInitialData.bind(server);
server.populateInitialData = async (config, ...options) => {
  config.apiOptions.port = 0;
  await populate(config, ...options);
  config.apiOptions.port = Number(PORT);
};
await server.init({
  productsCsvPath: PRODUCTS,
  customerCount: 1,
  initialData: {
    defaultLanguage: 'en',
    defaultZone: 'Americas',
    countries: [{ name: 'United States of America', code: 'US', zone: 'Americas' }],
    taxRates: [{ name: 'standard', percentage: 0 }],
    shippingMethods: [{ name: 'Post', price: 250 }],
    paymentMethods: [
      ...(isGuided ? [] : [{ name: 'crypto', handler: { code: 'payment-collection', arguments: [] } }]),
      {
        name: 'card',
        handler: {
          code: 'dummy-payment-handler',
          arguments: [{ name: 'automaticSettle', value: 'true' }],
        },
      },
    ],
    collections: [],
  },
});
process.stdout.write('ready\n');
