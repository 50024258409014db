import type { Document, Operation } from '#test/support/openapi-document.js';

/** These need a request that was paid, what a payer has signed, a till where payers type, or a code of the dashboard; others test them. */
const WANTS_A_PERSON = [
  'createRefund',
  'replaceRefundClaim',
  'authorizePayment',
  'payTypedAmount',
  'pairDevice',
  'readPairingCode',
];

interface Sent {
  readonly answered: string[];
  readonly refused: object[];
}

interface Answer {
  data?: Record<string, string>;
}

type Parameters = Record<string, string>;
type Waiting = Operation & { readonly path: string; readonly method: string };

/**
 * Sends the body of each operation that has one as the document of a running service shows it, and deletes the webhook that
 * comes of it. Parameters of paths are examples too, or what the links of an earlier answer contain; so are bodies that no
 * example can know.
 * @throws where a parameter is in neither
 */
export async function sendExamples(apiUrl: string): Promise<Sent> {
  const document = (await (await fetch(`${apiUrl}/docs-json`)).json()) as Document;
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Waiting => ({ ...operation, path, method })),
  );
  const waiting = all.filter(
    ({ requestBody, operationId }) =>
      (requestBody !== undefined && !WANTS_A_PERSON.includes(operationId)) || operationId === 'deleteWebhook',
  );
  // Who holds a token may send the rest, and what is deleted can be sent nothing more.
  const last = waiting.splice(
    waiting.findIndex(({ operationId }) => operationId === 'deleteWebhook'),
    1,
  );
  const first = waiting.splice(
    waiting.findIndex(({ operationId }) => operationId === 'exchangeToken'),
    1,
  );
  const queue = [...first, ...waiting];

  const headers = new Headers({ 'content-type': 'application/json' });
  const linked: Record<string, Parameters> = {};
  const linkedBodies: Record<string, Parameters> = {};
  const wantsLinkedBody = new Set(
    [...waiting, ...last, ...first]
      .flatMap(({ responses }) => Object.values(responses['200']?.links ?? {}))
      .flatMap(({ operationId, requestBody }) => (requestBody === undefined ? [] : [operationId])),
  );
  const answered: string[] = [];
  const refused: object[] = [];
  while (queue.length > 0 || last.length > 0) {
    if (queue.length === 0) queue.push(...last.splice(0));
    const index = queue.findIndex(
      (operation) =>
        parametersOf(operation, linked) !== undefined &&
        (!wantsLinkedBody.has(operation.operationId) || operation.operationId in linkedBodies),
    );
    if (index < 0) throw new Error(`No parameters for ${queue.map((one) => one.operationId).join(', ')}.`);
    const [operation] = queue.splice(index, 1) as [Waiting];
    const parameters = parametersOf(operation, linked)!;
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name]!);
    const body =
      linkedBodies[operation.operationId] ??
      (operation.requestBody?.content['application/json']?.example as Parameters | undefined);
    const response = await fetch(`${apiUrl}${path}`, {
      method: operation.method.toUpperCase(),
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer;
    if (response.status === 200) answered.push(operation.operationId);
    else refused.push({ operation: operation.operationId, answer });

    for (const link of Object.values(operation.responses['200']?.links ?? {})) {
      linked[link.operationId] = resolved(link.parameters, parameters, answer);
      if (link.requestBody) linkedBodies[link.operationId] = resolved(link.requestBody, parameters, answer);
    }
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
    if (cookie !== undefined) headers.set('cookie', cookie);
    if (operation.operationId !== 'exchangeToken') continue;
    headers.set('authorization', `Bearer ${answer.data?.['token']}`);
    headers.set('x-service-api-key', body!['api_key']!);
  }
  return { answered, refused };
}

function parametersOf(operation: Waiting, linked: Record<string, Parameters>): Parameters | undefined {
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const values = inPath.map(({ name, example }) => [name, linked[operation.operationId]?.[name] ?? example]);
  return values.some(([, value]) => value === undefined)
    ? undefined
    : (Object.fromEntries(values) as Parameters);
}

function resolved(expressions: Parameters, inPath: Parameters, { data }: Answer): Parameters {
  const values = Object.entries(expressions).map(([parameter, expression]) => {
    const name = expression.slice(Math.max(expression.lastIndexOf('.'), expression.lastIndexOf('/')) + 1);
    return [parameter, expression.startsWith('$request.path.') ? inPath[name] : data?.[name]];
  });
  return Object.fromEntries(values) as Parameters;
}
