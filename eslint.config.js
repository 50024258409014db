import js from '@eslint/js';
import tseslint from 'typescript-eslint';
import { docCommentRule } from './scripts/doc-comment-rule.mjs';
import { titleRule } from './scripts/title-rule.mjs';
import { wordingRule } from './scripts/wording-rule.mjs';

const EVERYWHERE = [
  {
    selector: 'CallExpression[callee.name="parseFloat"]',
    message: 'Money is bigint smallest units or decimal strings, never a float.',
  },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that has the thing.' },
  { selector: 'TSModuleDeclaration[global=true]', message: 'No ambient types.' },
];

/** Letters that a page of the dashboard would show in English, whatever language its reader has. */
const UNTRANSLATED = [
  'JSXText[value=/[A-Za-z]{2}/]',
  ...[
    ':matches(JSXElement, JSXFragment) > JSXExpressionContainer >',
    'JSXOpeningElement[name.name=/^[a-z]/] > JSXAttribute[name.name=/^(aria-label|title|alt|placeholder)$/] >',
    'JSXOpeningElement[name.name=/^[a-z]/] > JSXAttribute[name.name=/^(aria-label|title|alt|placeholder)$/] > JSXExpressionContainer >',
  ].flatMap((place) =>
    ['', 'ConditionalExpression >', 'LogicalExpression >'].flatMap((within) => [
      `${place} ${within} Literal[value=/[A-Za-z]{2}/]`,
      `${place} ${within} TemplateLiteral:has(> TemplateElement[value.raw=/[A-Za-z]{2}/])`,
    ]),
  ),
].map((selector) => ({
  selector,
  message: 'A text of the dashboard is in its catalogue: t(…), or a part that takes a text.',
}));

/** Pages and parts of the dashboard whose texts are translated. */
const TRANSLATED = [
  'src/dashboard/**/*.tsx',
  'src/shared/web/{dashboard,parts,charts}/**/*.tsx',
  'src/contexts/*/infrastructure/**/dashboard/**/*.tsx',
  'src/contexts/notifications/infrastructure/http/**/*.tsx',
];

/** An import that climbs so far that a reader has to count goes by the `imports` of package.json. */
const CLIMBING = {
  patterns: [
    {
      regex: '^(\\.\\./){3}(?!(\\.\\./)*(docs|openapi|solidity)/)',
      message: 'An import that climbs three folders goes by #contexts/…, #shared/…, #app/… or #test/….',
    },
  ],
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist.*/',
      '.joined/',
      'clients/*/dist/',
      'node_modules/',
      '.sandbox/',
      'coverage/',
      '**/*_pb.ts',
      'openapi/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-this-alias': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      'no-restricted-syntax': ['error', ...EVERYWHERE],
      'no-restricted-imports': ['error', CLIMBING],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.mjs'],
    plugins: { house: { rules: { 'doc-comment-subject': docCommentRule } } },
    rules: { 'house/doc-comment-subject': 'error' },
  },
  {
    files: ['{src,sandbox}/**/*.{ts,tsx,js}'],
    // Translations are not English.
    ignores: ['**/*spec.{ts,tsx}', '**/testing/**', '**/*.{es,pt}.ts', 'src/shared/web/dashboard/words/**'],
    plugins: { texts: { rules: { wording: wordingRule } } },
    rules: { 'texts/wording': 'error' },
  },
  {
    files: ['{src,sandbox,test,solidity}/**/*.ts', 'clients/*/test/**/*.ts', 'src/**/*.tsx'],
    plugins: { tests: { rules: { title: titleRule } } },
    rules: { 'tests/title': 'error' },
  },
  {
    files: ['{src,sandbox}/**/*.{ts,tsx}'],
    ignores: ['src/app/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/app reads the environment; take a settings class instead.',
        },
      ],
    },
  },
  {
    files: ['{src,sandbox}/**/*.ts', 'clients/*/src/**/*.ts'],
    ignores: ['**/*spec.ts', '**/testing/**', '**/*.browser.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        {
          name: 'fetch',
          message:
            'Node decodes Brotli that it did not ask for: call outgoingFetch, or the transport of the client.',
        },
      ],
    },
  },
  {
    files: ['{src,sandbox}/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...CLIMBING,
          paths: [
            {
              name: '@nestjs/common',
              importNames: ['UseGuards', 'UseInterceptors'],
              message:
                "A route's own guards come after its body is read: make it an APP_GUARD. Interceptors cost every request of it.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/contexts/*/application/**/*.ts'],
    ignores: ['**/*spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          ...CLIMBING,
          paths: [
            {
              name: '@nestjs/common',
              allowImportNames: ['Injectable'],
              message: 'A use case knows nothing of Nest but Injectable.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['src/contexts/*/domain/**/*.ts', 'src/contexts/*/application/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'Time comes in as an argument or from the Clock.',
        },
        {
          selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
          message: 'Time comes in as an argument or from the Clock.',
        },
        {
          selector: 'CallExpression[callee.object.name="Math"][callee.property.name="random"]',
          message: 'Chance comes in as an argument.',
        },
      ],
    },
  },
  {
    files: TRANSLATED,
    ignores: ['**/*.spec.tsx', 'src/dashboard/styleguide.module.tsx'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE, ...UNTRANSLATED] },
  },
  {
    // What a payer's browser runs.
    files: ['**/*.browser.js'],
    languageOptions: {
      globals: {
        document: 'readonly',
        URL: 'readonly',
        Blob: 'readonly',
        PublicKeyCredential: 'readonly',
        HTMLInputElement: 'readonly',
        window: 'readonly',
        location: 'readonly',
        navigator: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        setInterval: 'readonly',
        DOMParser: 'readonly',
      },
    },
  },
  {
    files: ['**/*.mjs', '**/*.js', '**/*.cjs'],
    ignores: ['**/*.browser.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        Buffer: 'readonly',
        module: 'writable',
        require: 'readonly',
        setTimeout: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
      },
    },
  },
);
