// Seeds databases of test services by the built sandbox. One process for a whole run, and one session for each service: to load the
// application and to compose it takes most of the time of a seed.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { OperatorCommandRunner, seedShop } = await import(
  pathToFileURL(join(process.cwd(), 'dist/seed.js')).href
);
const sessions = new Map();

function sessionOf(environment) {
  const key = JSON.stringify(environment);
  const session = sessions.get(key) ?? new OperatorCommandRunner({ environment, actor: 'sandbox' });
  sessions.set(key, session);
  return session;
}

process.on('message', ({ id, options: { env, ...options } }) => {
  seedShop(sessionOf(env), options).then(
    (seeded) => process.send({ id, seeded }),
    (error) => process.send({ id, error: error.stack }),
  );
});
