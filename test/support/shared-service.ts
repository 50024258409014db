import { afterAll, beforeAll } from '@jest/globals';
import { ApiClient } from './api-client.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { seedByTheRun } from './seeding.js';
import { startTestService, type ServiceOptions, type TestService } from './service.js';

/**
 * One service for the suites of a file, each with a shop of its own: a start takes six seconds of processor time. What a
 * suite does to the whole service (moves its clock, breaks an invariant) is felt by the suites after it.
 */
export class SharedService {
  private service: TestService | undefined;
  private shops = 0;

  /** Registers the start and the end of the service with Jest. */
  constructor(options: ServiceOptions = {}) {
    beforeAll(async () => {
      this.service = await startTestService(options);
    });
    afterAll(() => this.service?.stop());
  }

  /** The service as another organization with a demonstration shop sees it. */
  async shop(): Promise<TestService> {
    const service = this.service!;
    const name = `Shop ${(this.shops += 1)}`;
    const seed = await seedByTheRun({ env: service.environment, settlement: SANDBOX_TERMS, name });
    const api = new ApiClient(service.apiUrl, seed);
    await api.authenticate();
    return { ...service, seed, api };
  }
}
