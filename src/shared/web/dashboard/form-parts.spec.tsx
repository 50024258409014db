import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from '@jest/globals';
import {
  HIDDEN_FIELD,
  createPointOfSaleField,
  SECOND_FACTOR_FIELD,
  UNRENDERED_FIELD,
  type SubmittedForm,
} from './form-fields.js';
import { FormWithErrors, HAS_PASSKEY_CONTEXT } from './form-parts.js';

const FIELDS = {
  name: { label: { name: 'Name' }, hint: { name: 'Purpose of the key.' }, maxlength: 9, required: true },
  password: { kind: 'password', label: { name: 'Password' } },
  kind: { kind: 'choice', label: { name: 'Kind' }, options: [{ value: 'a', label: { name: 'The first' } }] },
  origins: { kind: 'lines', label: { name: 'Origins' } },
  roles: { kind: 'ticks', label: { name: 'Roles' }, options: [{ value: 'read', label: { name: 'Reads' } }] },
  read: UNRENDERED_FIELD,
  then: HIDDEN_FIELD,
  confirm: { kind: 'tick', label: { name: 'Sure' } },
  code: SECOND_FACTOR_FIELD,
} as const;

const typed = {
  ...{ name: '"x"', password: 'secret', kind: 'a', origins: 'one\ntwo', read: 'on', then: '/app' },
  ...{ confirm: 'on', code: 'secret' },
};

function htmlOf(sent?: SubmittedForm, fields: SubmittedForm['fields'] = FIELDS): string {
  return renderToString(
    <FormWithErrors fields={fields} sent={sent} values={{ name: 'As it is' }} action="/app/x">
      <button>Save</button>
    </FormWithErrors>,
  );
}

const refused = (...errors: [field: string, message: string][]): SubmittedForm => ({
  ...{ fields: FIELDS, typed },
  refusal: {
    message: 'Not now.',
    errors: errors.map(([field, message]) => ({ field, rule: 'rule', message })),
  },
});

describe('The form of a list of fields', () => {
  it('has an input with label, hint and value for each field', () => {
    const html = htmlOf();

    expect(html).toContain('<label for="name">Name</label>');
    expect(html).toMatch(/<input id="name"[^>]*maxlength="9"[^>]*required[^>]*value="As it is"/);
    expect(html).toContain('aria-describedby="name-hint"');
    expect(html).toContain('<p class="note" id="name-hint">Purpose of the key.</p>');
    expect(html).toContain('<select id="kind"');
    expect(html).toContain('<textarea id="origins"');
    expect(html).toContain('<legend>Roles</legend>');
    expect(html).not.toContain('name="then"');
    expect(html.match(/name="read"/g)).toHaveLength(1);
    expect(html).not.toContain('alert');
  });

  it('keeps the typed values except secrets after a rejection, and shows each problem next to its field', () => {
    const html = htmlOf(
      refused(['name', 'is too short.'], ['origins[1]', 'is no site.'], ['roles', 'lack.']),
    );

    expect(html).toContain('<p>Check the highlighted fields.</p>');
    expect(html).toContain('value="&quot;x&quot;"');
    expect(html).toMatch(/id="name"[^>]*aria-describedby="name-hint name-problem" aria-invalid="true"/);
    expect(html).toContain('<p class="problem" id="name-problem">is too short.</p>');
    expect(html).toContain('<p class="problem" id="origins-problem">is no site.</p>');
    expect(html).toContain('<p class="problem">lack.</p>');
    expect(html).toContain('<option value="a" selected>');
    expect(html).toContain('one\ntwo</textarea>');
    expect(html).toMatch(/id="read"[^>]*checked/);
    expect(html).toContain('<input type="hidden" name="then" value="/app"/>');
    expect(html).not.toContain('secret');
  });

  it('offers a passkey below its button only to owners of one', () => {
    const owned = renderToString(
      <HAS_PASSKEY_CONTEXT.Provider value={true}>
        <FormWithErrors fields={FIELDS}>
          <button>Save</button>
        </FormWithErrors>
      </HAS_PASSKEY_CONTEXT.Provider>,
    );

    expect(htmlOf()).not.toContain('passkey');
    expect(owned.indexOf('data-passkey="prove"')).toBeGreaterThan(owned.indexOf('Save'));
  });

  it('offers a short list of points of sale as a choice, and searches a long one', () => {
    const points = (total: number) => ({
      total,
      items: Array.from({ length: Math.min(total, 50) }, (_, n) => ({
        id: `p${n}`,
        name: `Till ${n}`,
        accountName: 'A',
      })),
    });
    const first = (total: number, typed?: string) =>
      createPointOfSaleField(points(total), typed).options?.[0];

    expect(first(50)).toEqual({ value: 'p0', label: { name: 'Till 0 (A)' } });
    expect(createPointOfSaleField(points(51), undefined)).toMatchObject({
      kind: 'text',
      hint: { props: { values: { total: 51 } } },
    });
    // If several items match the typed text, none is selected automatically.
    expect(first(2, 'till')).toEqual({ value: '', label: 'Choose one, or search again' });
    expect(createPointOfSaleField(points(0), 'shop')).toMatchObject({ kind: 'text' });
  });

  it('shows problems of hidden fields above the form', () => {
    expect(htmlOf(refused())).toContain('<p>Not now.</p>');
    expect(htmlOf(refused(['confirm', 'Tick it.']))).toContain('<p>confirm: Tick it.</p>');
    expect(htmlOf(refused(['elsewhere', 'is odd.']))).toContain('<p>elsewhere: is odd.</p>');
  });
});
