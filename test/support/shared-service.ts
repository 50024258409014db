import { afterAll, beforeAll } from '@jest/globals';
import { ApiClient } from './api-client.js';
import { SANDBOX_TERMS } from '#sandbox/chain/sandbox-chain.js';
import { seedByTheRun } from './seeding.js';
import { startTestService, type ServiceOptions, type TestService } from './service.js';
import { StatementCounter } from './statement-counter.js';

interface SharedOptions extends Omit<ServiceOptions, 'apiDatabase'> {
  /** The API reaches its database only through `counter`. */
  readonly countsStatements?: boolean;
}

/**
 * One service for the suites of a file, each with a shop of its own: a start takes six seconds of processor time. What a
 * suite does to the whole service (moves its clock, breaks an invariant) is felt by the suites after it.
 */
export class SharedService {
  private service: TestService | undefined;
  private way: StatementCounter | undefined;
  private shops = 0;

  constructor({ countsStatements = false, ...options }: SharedOptions = {}) {
    const apiDatabase = async (url: string) => {
      this.way = await StatementCounter.open(url);
      return this.way.url;
    };
    beforeAll(async () => {
      this.service = await startTestService({ ...options, ...(countsStatements && { apiDatabase }) });
    });
    afterAll(async () => {
      await this.service?.stop();
      this.way?.end();
    });
  }

  /** The only way of the API to its database, where statements are counted. */
  get counter(): StatementCounter {
    return this.way!;
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
