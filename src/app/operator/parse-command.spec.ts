import { describe, expect, it } from '@jest/globals';
import { CommandArguments, type Command } from './command.js';
import { parseCommand } from './parse-command.js';
import { selectFields, renderCommandResult } from './command-result.js';
import { formatHelp, formatUsage } from './usage.js';

const run = async () => ({ data: {} });
const create: Command = {
  words: 'thing create',
  about: 'Create a thing.',
  options: {
    name: { value: 'name', about: 'of the thing', required: true },
    tags: { value: 'a,b', about: 'its tags' },
    'page-size': { value: 'n', about: 'how many' },
  },
  example: '--name Box',
  run,
};
const approve: Command = {
  words: 'thing approve',
  about: 'Approve a thing.',
  changes: {
    what: 'things',
    irreversible: 'An approval stays.',
    audited: 'with it',
    preview: async () => ({ effect: 'The thing will be approved.', confirmedBy: 'thing' }),
  },
  arguments: { thing: 'its id' },
  example: 'box',
  run,
};
const verify: Command = {
  words: 'verify',
  about: 'Look for breaches.',
  example: '',
  failsIf: 'there is one',
  run,
};
const commands = [create, approve, verify];

describe('A command line', () => {
  it('names a command, its arguments and its options', () => {
    const { command, args } = parseCommand(commands, ['thing', 'create', '--name', ' A b', '--tags=x, y,']);

    expect(command).toBe(create);
    expect(args.text('name')).toBe('A b');
    expect(args.list('tags')).toEqual(['x', 'y']);
    expect(args.integer('page-size')).toBeUndefined();
    expect(args.actor).toMatch(/^operator \S+/);
    expect(parseCommand(commands, ['thing', 'approve', 'it']).args.text('thing')).toBe('it');
    expect(parseCommand(commands, ['verify']).command).toBe(verify);
  });

  it('accepts an option without a value', () => {
    const options = { dry: { about: 'only try' } };
    const sell: Command = { words: 'sell', about: 'Sell.', options, example: '--dry', run };

    expect(parseCommand([sell], ['sell', '--dry']).args.flag('dry')).toBe(true);
    expect(parseCommand([sell], ['sell']).args.flag('dry')).toBe(false);
    expect(() => parseCommand([sell], ['sell', '--dry=x'])).toThrow('does not take an argument');
    expect(formatUsage(sell)).toMatch(/^ {2}--dry {3}only try$/m);
  });

  it.each([
    [[], 'A command is required.'],
    [['thing'], 'There is no command "thing". Did you mean "thing create", "thing approve"?'],
    [['thing', 'aprove', 'x'], 'There is no command "thing aprove x". Did you mean "thing approve"?'],
    [['verfiy', '--name', 'x'], 'There is no command "verfiy". Did you mean "verify"?'],
    [['sell'], /^There is no command "sell"\.$/],
    [['thing', 'create'], '--name is required.'],
    [['thing', 'create', '--name', 'a', '--name', 'b'], '--name can be passed only once.'],
    [['thing', 'create', '--name', 'a', 'b'], 'Unexpected argument "b".'],
    [['thing', 'create', '--name', 'a', '-5'], '"-5" is negative. Amounts and numbers must be positive.'],
    [['thing', 'create', '--name', 'a', '--nmae', 'b'], "Unknown option '--nmae'."],
    [['thing', 'approve'], '<thing> is required.'],
  ])('is rejected with an explanation: %j', (words, sentence) => {
    expect(() => parseCommand(commands, words)).toThrow(sentence);
  });

  it.each(['abc', '1e3', '-1', '01', '1.5'])('is rejected if an option is not a whole number: %j', (text) => {
    const { args } = parseCommand(commands, ['thing', 'create', '--name', 'a', `--page-size=${text}`]);

    expect(() => args.integer('page-size')).toThrow('page-size must be a whole number.');
  });

  const argumentsOf = (values: object) => new CommandArguments(new Map(Object.entries(values)));

  it.each([{ page: '0' }, { page: '2147483648' }, { 'page-size': '0' }, { 'page-size': '1001' }])(
    'is rejected if the page is out of range: %j',
    (values) => {
      expect(() => argumentsOf(values).page()).toThrow(
        'page must be from 1 to 2147483647, and page-size from 1 to 1000.',
      );
    },
  );

  it('names the first page of 50 items by default', () => {
    expect(argumentsOf({}).page()).toEqual({ page: 1, pageSize: 50 });
    expect(argumentsOf({ 'page-size': '1000' }).page()).toEqual({ page: 1, pageSize: 1000 });
  });

  it('accepts only UUIDs as ids', () => {
    const { args } = parseCommand(commands, ['thing', 'approve', 'it']);

    expect(() => args.id('thing')).toThrow('thing must be an id (UUID) such as');
    expect(args.optionalId('other')).toBeUndefined();
    const id = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
    expect(argumentsOf({ id: id.toUpperCase() }).id('id')).toBe(id);
  });
});

describe('The usage', () => {
  const groups = { things: [create, approve], checks: [verify] };

  it('lists the groups with their commands, and the commands of one group', () => {
    expect(formatHelp(groups)).toContain('\n  things  thing create|approve\n  checks  verify\n');
    expect(formatHelp(groups, 'constructor')).toBe(formatHelp(groups));
    expect(formatHelp(groups, 'things')).toMatch(/thing create .*\n.*thing approve <thing>/);
    expect(formatHelp(groups, 'checks')).toBe(formatUsage(verify));
  });

  it('shows one command with its options, or all that begin with a word', () => {
    expect(formatUsage(create)).toContain('--name <name>    of the thing (required)');
    expect(formatHelp(groups, 'thing')).toMatch(/thing create .*\n.*thing approve <thing>/);
    expect(formatHelp(groups, 'thing')).not.toContain('verify');
  });
});

describe('An answer for people', () => {
  it('shows one line for each value of a record', () => {
    expect(
      renderCommandResult({
        data: { id: 1, long_name: null, rest: undefined, roles: ['a', 'b'], inner: { x: true } },
        note: 'Done.',
      }),
    ).toBe('id         1\nlong_name  -\nrest       -\nroles      a, b\ninner.x    true\n\nDone.');
  });

  it('shows nested lists of records as tables', () => {
    const data = { network: 'a', batches: [{ id: 1 }, { id: 22 }], none: [] };

    expect(renderCommandResult({ data })).toBe('network  a\nnone     -\n\nbatches:\n  id\n  1\n  22');
    expect(renderCommandResult({ data: [data, { network: 'b' }] })).toMatch(/ {2}22\n\nnetwork {2}b$/);
  });

  it('shows a list as a table, with the total of a page', () => {
    const data = [
      { id: 1, name: 'One' },
      { id: 22, name: 'Evil\u001b[2J' },
    ];

    expect(renderCommandResult({ data })).toBe('id  name\n1   One\n22  Evil?[2J');
    expect(
      renderCommandResult({ data: { data, total: 3, page: 1, page_size: 2, total_pages: 2 } }),
    ).toContain('Page 1 of 2, 3 total.');
    expect(renderCommandResult({ data: [] })).toBe('No results.');
  });

  it('shows only the named fields, with their API names and times in UTC', () => {
    const thing = { uniqueId: 1, createdAt: new Date('2026-03-01T12:00:00Z'), endsAt: null, secret: 'x' };
    const data = [selectFields(thing, 'uniqueId', 'createdAt', 'endsAt')];

    expect(renderCommandResult({ data })).toBe(
      'unique_id  created_at                ends_at\n1          2026-03-01T12:00:00.000Z  -',
    );
    expect(JSON.stringify(data)).toBe(
      '[{"unique_id":1,"created_at":"2026-03-01T12:00:00.000Z","ends_at":null}]',
    );
  });
});
