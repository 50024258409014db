import { expect } from '@jest/globals';

/** Follows a form's answer to the page that shows a secret once. @param cookie the `Cookie` header of the form @returns the page */
export async function oneTimeSecretStore(apiUrl: string, answer: Response, cookie: string): Promise<string> {
  expect(answer.status).toBe(303);
  const kept = answer.headers.getSetCookie().map((line) => line.replace(/;.*/, ''));
  const headers = { cookie: [cookie, ...kept].join('; ') };
  const page = await fetch(apiUrl + answer.headers.get('location')!, { headers, redirect: 'manual' });
  expect(page.status).toBe(200);
  return page.text();
}
