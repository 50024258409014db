// Seeds databases of test services by the built sandbox. One process for a whole run: the application is loaded once,
// where a process for each seed would spend all but a tenth of its time on loading it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { seed } = await import(pathToFileURL(join(process.cwd(), 'dist/seed.js')).href);

process.on('message', ({ id, options }) => {
  seed(options).then(
    (seeded) => process.send({ id, seeded }),
    (error) => process.send({ id, error: error.stack }),
  );
});
