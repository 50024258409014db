import { defineConfig } from '@medusajs/framework/utils';

const { PROVIDERS, DATABASE_URL } = process.env;

const http = {
  storeCors: '*',
  adminCors: '*',
  authCors: '*',
  jwtSecret: 'for tests',
  cookieSecret: 'for tests',
};

export default defineConfig({
  projectConfig: {
    databaseUrl: DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http,
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: JSON.parse(PROVIDERS).map((entry) => ({ resolve: 'payment-collection-medusa', ...entry })),
      },
    },
  ],
});
