import type { operations } from '../../openapi/openapi.js';

const ANSWERS_WITHIN = 60_000;

type Json<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Answer } } };
}
  ? Answer
  : never;

/** The answer of an operation, without the envelope where it has one. */
export type AnswerOf<Operation extends keyof operations> =
  Json<Operation> extends { status: 'success'; data: infer Data } ? Data : Json<Operation>;

export class ApiRefused extends Error {
  override readonly name = 'ApiRefused';

  constructor(
    readonly httpStatus: number,
    readonly code: string,
    message: string,
    requestId: string | undefined,
  ) {
    // The request id finds the line in the API's log.
    super(httpStatus >= 500 && requestId !== undefined ? `${message} (Request id ${requestId}.)` : message);
  }
}

interface Failure {
  code: string;
  message: string;
  request_id: string;
}

export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';

  constructor(url: string, cause: unknown) {
    super(`The API at ${url} does not answer.`, { cause });
  }
}

/**
 * Calls the API by any path: exchanges the credential once, then sends both headers. Unlike the merchants' client it sends each
 * request once, so that a test sees every refusal.
 */
export class ApiClient {
  private token: { value: string; expiresAt: number } | undefined;

  constructor(
    private readonly url: string,
    private readonly credential: { readonly apiKey: string; readonly apiSecret: string },
  ) {}

  async authenticate(): Promise<Date> {
    const { apiKey, apiSecret } = this.credential;
    const body = { api_key: apiKey, api_secret: apiSecret };
    const answer = await this.call<{ token: string; expired_at: string }>('POST', '/v1/auth/token', body, {});
    this.token = { value: answer.token, expiresAt: Date.parse(answer.expired_at) };
    return new Date(this.token.expiresAt);
  }

  async proof(): Promise<string> {
    await this.authenticate();
    return this.token!.value;
  }

  async get<T>(path: string): Promise<T> {
    return this.authorized<T>('GET', path);
  }

  async post<T>(path: string, body: object): Promise<T> {
    return this.authorized<T>('POST', path, body);
  }

  async put<T>(path: string, body: object): Promise<T> {
    return this.authorized<T>('PUT', path, body);
  }

  async delete<T>(path: string): Promise<T> {
    return this.authorized<T>('DELETE', path);
  }

  async raw<T>(path: string): Promise<T> {
    return (await this.fetch(path, {})) as T;
  }

  private async authorized<T>(method: string, path: string, body?: object): Promise<T> {
    try {
      return await this.call<T>(method, path, body, await this.headers());
    } catch (error) {
      // The sandbox's clock can be moved past a token's end at any moment.
      if (!(error instanceof ApiRefused) || error.code !== 'token_expired') throw error;
      await this.authenticate();
      return this.call<T>(method, path, body, await this.headers());
    }
  }

  private async headers(): Promise<Record<string, string>> {
    if (this.token === undefined || this.token.expiresAt < Date.now() + 60_000) await this.authenticate();
    return { authorization: `Bearer ${this.token!.value}`, 'x-service-api-key': this.credential.apiKey };
  }

  private async call<T>(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ): Promise<T> {
    const answer = await this.fetch(path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (answer as { data: T }).data;
  }

  private async fetch(path: string, options: RequestInit): Promise<unknown> {
    const signal = AbortSignal.timeout(ANSWERS_WITHIN);
    const response = await fetch(this.url + path, { ...options, signal }).catch((error: unknown) => {
      throw new ApiUnreachable(this.url, error);
    });
    if (response.ok) return response.json();
    const { code, message, request_id } = (await response.json().catch(() => ({}))) as Partial<Failure>;
    const sentence = message ?? `${path} answered ${response.status}.`;
    throw new ApiRefused(response.status, code ?? 'unknown', sentence, request_id);
  }
}
