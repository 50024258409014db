// Runs src/app/write-openapi.ts, which is not built.
import '../test/support/typescript-loader.mjs';

await import('../src/app/write-openapi.ts');
