import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ValidationPipe, type ArgumentMetadata } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { getMetadataStorage, IsDefined, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { describe, expect, it } from '@jest/globals';
import { TokenExchangeBody } from '#contexts/identity/infrastructure/credentials/http/token.dto.js';
import { CreateCheckoutBody } from '#contexts/payments/infrastructure/requests/http/checkout.dto.js';
import { CreatePaymentRequestBody } from '#contexts/payments/infrastructure/requests/http/payment-request.dto.js';
import { HOSTILE_VALUES } from '../support/hostile/hostile-values.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { compileInput } from '#shared/platform/http/validation/compiled-input.js';
import { nestedClassOf, type InputClass } from '#shared/platform/http/validation/input-metadata.js';
import { InputPipe } from '#shared/platform/http/validation/validation.js';

const INPUTS_OF_EACH_CLASS = 60;
const GOOD = [
  ...['12.50', '1', '50', 'USDC', 'Table 7', '5814', 'https://shop.example/thanks', 'payment_request'],
  ...['0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f', '2026-01-01T00:00:00.000Z', 'delivered', 'failed'],
  ...[1, 50, true, false, null],
];
/** The fields for which hardly anything else is good. */
const GOOD_OF: Record<string, unknown> = {
  amount: '12.50',
  coin_code: 'USD',
  from: '2026-11-21T06:00:00Z',
  to: '2026-11-21T08:30:00Z',
};
const HOSTILE = HOSTILE_VALUES.flatMap(({ json }) =>
  json === undefined ? [] : [JSON.parse(json) as unknown],
);

/** Every class of a request whose fields have rules; those of answers are never read. */
async function inputClasses(): Promise<InputClass[]> {
  const files = globSync('src/**/*.dto.ts').sort();
  const modules = await Promise.all(
    files.map((file) => import(pathToFileURL(join(process.cwd(), file)).href) as Promise<object>),
  );
  const classes = modules
    .flatMap((module) => Object.values(module))
    .filter((value) => typeof value === 'function');
  return (classes as InputClass[]).filter((one) => !one.name.endsWith('Dto') && fieldsOf(one).length > 0);
}

function fieldsOf(type: InputClass): string[] {
  const metadatas = getMetadataStorage().getTargetValidationMetadatas(type, type.name, false, false);
  return [...new Set(metadatas.map(({ propertyName }) => propertyName))];
}

/** A parsed body has the prototypes of this realm, and so has its copy. */
const copyOf = (input: unknown) => JSON.parse(JSON.stringify(input)) as unknown;

/** Nest's pipe makes this of it by class-validator and class-transformer. */
async function judged(type: InputClass, input: unknown): Promise<unknown> {
  const metadata: ArgumentMetadata = { type: 'custom', metatype: type };
  const pipe = Object.create(new InputPipe(), { toValidate: { value: () => true } }) as InputPipe;
  return ValidationPipe.prototype.transform.call(pipe, copyOf(input), metadata).catch(() => undefined);
}

interface Package {
  version: string;
}

describe('A compiled input rule', () => {
  const random = new SeededRandom(20_261_122);
  const oneOf = <T>(values: readonly T[]): T => values[random.wholeNumber(0, values.length - 1)]!;

  function draw(type: InputClass): Record<string, unknown> {
    const hostile = random.chance(0.5) ? 0.15 : 0;
    const input: Record<string, unknown> = {};
    for (const field of fieldsOf(type)) {
      if (random.chance(0.3)) continue;
      const part = nestedClassOf(type, field);
      if (random.chance(hostile)) input[field] = oneOf(HOSTILE);
      else if (part === undefined)
        input[field] = random.chance(0.5) ? oneOf(GOOD) : (GOOD_OF[field] ?? oneOf(GOOD));
      else input[field] = random.chance(0.5) ? draw(part) : [draw(part), draw(part)];
    }
    if (random.chance(hostile)) input['unknown_field'] = 1;
    return input;
  }

  it('creates the same object as the pipe for every accepted input', async () => {
    let accepted = 0;
    for (const type of await inputClasses()) {
      const read = compileInput(type);
      if (read === null) continue;
      for (let n = 0; n < INPUTS_OF_EACH_CLASS; n += 1) {
        const input = draw(type);
        const ours = read(copyOf(input));
        if (ours === undefined) continue;
        accepted += 1;
        const theirs = await judged(type, input);
        expect({ input, made: ours }).toStrictEqual({ input, made: theirs });
        expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
      }
    }
    expect(accepted).toBeGreaterThan(100);
  });

  it.each([[CreatePaymentRequestBody], [CreateCheckoutBody], [TokenExchangeBody]])(
    'accepts everything that the pipe accepts: %p',
    async (type) => {
      const read = compileInput(type)!;

      const differ: object[] = [];
      for (let n = 0; n < INPUTS_OF_EACH_CLASS; n += 1) {
        const input = draw(type);
        if ((read(copyOf(input)) === undefined) !== ((await judged(type, input)) === undefined))
          differ.push(input);
      }

      expect(differ).toEqual([]);
    },
  );

  it.each([
    [12.5, '12.5'],
    [0.000001, '0.000001'],
    [123_456_789_012_345, '123456789012345'],
    [1e-7, undefined],
    [0.1234567890123456, undefined],
    [1_234_567_890_123_456, undefined],
    [-1, undefined],
    [0, undefined],
  ])('reads the number %j as the amount of a checkout: %j', async (amount, read) => {
    const metadata: ArgumentMetadata = { type: 'body', metatype: CreateCheckoutBody };
    const made = new InputPipe().transform({ amount, coin_code: 'EUR' }, metadata);

    if (read === undefined) await expect(made).rejects.toMatchObject({ code: 'validation_failed' });
    else expect(await made).toMatchObject({ amount: read });
  });

  it('leaves everything but a plain object to the pipe', async () => {
    const [type] = await inputClasses();

    for (const input of [undefined, null, [], 'text', 1, new Date(), Object.create(null)])
      expect(compileInput(type!)!(input)).toBeUndefined();
  });

  it('does not exist for unknown rules', () => {
    class Defined {
      @IsDefined()
      field!: string;
    }
    class Grouped {
      @IsString({ groups: ['some'] })
      field!: string;
    }
    class Conditional {
      @IsString({ validateIf: () => false })
      field!: string;
    }
    class OfUnknownParts {
      @ValidateIf(() => true)
      @ValidateNested()
      field!: object;
    }
    class WithoutRules {
      @Transform(() => 1)
      field!: number;
    }

    for (const type of [Defined, Grouped, Conditional, OfUnknownParts, WithoutRules])
      expect([type.name, compileInput(type)]).toEqual([type.name, null]);
  });

  it('depends on the versions of two libraries (read compiled-input.ts before an update)', () => {
    const installed = ['class-validator', 'class-transformer'].map((name) => {
      const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as Package;
      return `${name} ${version}`;
    });
    expect(installed).toEqual(['class-validator 0.15.1', 'class-transformer 0.5.1']);
  });
});
