import { afterAll, beforeAll } from '@jest/globals';
import { HostileWorld } from '../support/hostile/hostile-world.js';
import { explainingSuite } from './tenants/explaining.suite.js';
import { otherTenantsSuite } from './tenants/other-tenants.suite.js';

let world: HostileWorld;

beforeAll(async () => {
  world = await HostileWorld.start();
});

afterAll(() => world?.stop());

otherTenantsSuite(() => world);
// Checks all invariants after each test, and moves the clock past the end of open requests.
explainingSuite(() => world);
