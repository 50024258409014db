/** Options of esbuild for everything that Node runs: the programs, and the packages that tests import. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // It would set the name of every closure each time one is created. Names are not shortened, so classes keep theirs anyway.
  keepNames: false,
  logLevel: 'warning',
};

/** The first line of each file: CommonJS packages require modules of Node. */
export const REQUIRE = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(import.meta.url);`;

/**
 * Metadata and the two validation packages are required from outside by Nest, too, and there must be one of each. Swagger
 * UI finds its files by its own path, Argon2 is a binary, and Kafka's client has WebAssembly and a binary beside it.
 */
export const INSTALLED_BESIDE_BUNDLE = [
  'reflect-metadata',
  'class-validator',
  'class-transformer',
  'swagger-ui-dist',
  '@node-rs/argon2',
  '@platformatic/kafka',
];

export const LEFT_OUT = [
  ...INSTALLED_BESIDE_BUNDLE,
  // Not installed: Nest and TypeORM look for them and do without.
  '@fastify/*',
  '@nestjs/microservices',
  '@nestjs/websockets',
  'pg-native',
];
