import type { Option } from './command.js';

/** For commands that list: spread into their options. */
export const PAGE_OPTIONS = {
  page: { value: 'n', about: 'page wanted, from 1' },
  'page-size': { value: 'n', about: 'items per page, 50 unless set' },
} as const satisfies Record<string, Option>;
