import createClient from 'openapi-fetch';
import type { components, paths } from '../../openapi/openapi.js';

export type Schemas = components['schemas'];
export type TypedClient = ReturnType<typeof createClient<paths>>;

/** A client as `openapi-typescript` and `openapi-fetch` make one of the committed document, with a token of its own. */
export async function typedClient(
  baseUrl: string,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
): Promise<TypedClient> {
  const client = createClient<paths>({ baseUrl });
  const body = { api_key: apiKey, api_secret: apiSecret };
  const { data: token } = answered(await client.POST('/v1/auth/token', { body }));
  client.use({
    onRequest({ request }) {
      request.headers.set('authorization', `Bearer ${token.token}`);
      request.headers.set('x-service-api-key', apiKey);
    },
  });
  return client;
}

/** @throws with the error's code and message, which are typed too */
export function answered<T>(result: { data?: T; error?: Schemas['ErrorEnvelope'] | undefined }): T {
  if (result.data !== undefined) return result.data;
  throw new Error(`${result.error?.code}: ${result.error?.message}`);
}
