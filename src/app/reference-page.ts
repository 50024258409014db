import type { OpenAPIObject } from '@nestjs/swagger';
import type { ExampleValues } from '#shared/platform/http/openapi/example-values.js';

interface OpenApiParameter {
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema?: { readonly example?: unknown };
}

function sandboxKey({ api_key, api_secret }: ExampleValues): object | undefined {
  return api_key === undefined || api_secret === undefined ? undefined : { api_key, api_secret };
}

/** In the sandbox, the page exchanges the demonstration shop's key for a token when it opens. */
export function swaggerUiOptions(examples: ExampleValues): Readonly<Record<string, unknown>> {
  const key = sandboxKey(examples);
  return {
    // Credentials stay only in the page's memory, because browser storage would outlive the session.
    persistAuthorization: false,
    displayRequestDuration: true,
    ...(key && { onComplete: functionWithSource(authorizationScript(key)) }),
  };
}

/** Swagger UI would prefill and send the examples of optional parameters. */
export function leaveOptionalParametersEmpty(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(path) as { parameters?: OpenApiParameter[] }[])
      if (operation.parameters !== undefined) operation.parameters = operation.parameters.map(withoutExample);
  }
}

export function describeSandbox(document: OpenAPIObject, examples: ExampleValues): void {
  if (sandboxKey(examples) === undefined) return;
  document.info.description =
    `${document.info.description}\n\n**Sandbox:** this page is already authorized with the API key of the demonstration shop. ` +
    'Reload it when the token has expired.';
}

function withoutExample(parameter: OpenApiParameter): OpenApiParameter {
  // Keeps `page`: a list requires either a page number or a cursor.
  if (parameter.required === true || parameter.name === 'page') return parameter;
  const { example: _, schema, ...others } = parameter;
  if (schema === undefined) return others;
  const { example: __, ...rest } = schema;
  return { ...others, schema: rest };
}

/** Runs in the browser, so it cannot use code of this module. */
function authorizationScript(key: object): string {
  return `async () => {
    const key = ${JSON.stringify(key)};
    const response = await fetch('/v1/auth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(key),
    });
    if (!response.ok) return;
    const { data } = await response.json();
    window.ui.preauthorizeApiKey('bearer', data.token);
    window.ui.preauthorizeApiKey('api-key', key.api_key);
  }`;
}

function functionWithSource(source: string): () => void {
  return Object.assign(() => undefined, { toString: () => source });
}
