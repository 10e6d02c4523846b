// Where an OpenSearch cluster is and how to sign in to it, as configuration options.
import { z } from 'zod';
import { PATH } from '../ops/config-kinds.ts';
import { option, optionalOption, type ValueKind } from '../ops/config-option.ts';

const MAX_URLS = 100;
const NOT_A_URL = new URL('about:blank');

/** Origins without path and without user: credentials have options of their own, which no log shows. */
const URLS: ValueKind<readonly string[]> = {
  schema: z
    .union([z.array(z.string()), z.string().transform((text) => text.split(','))])
    .transform((urls) => urls.map((url) => originOf(url.trim())))
    .pipe(z.array(z.string()).max(MAX_URLS)),
  allowed: 'http://host:port or https://host:port, several separated by commas, without user and path',
  valueName: '<urls>',
  disclosure: 'url',
};

const USER: ValueKind<string> = {
  schema: z.string().regex(/^[^:\p{Cc}]{1,256}$/u),
  allowed: '1 to 256 characters without a colon',
  valueName: '<name>',
};

const PASSWORD: ValueKind<string> = {
  schema: z.string().regex(/^\P{Cc}{1,1024}$/u),
  allowed: '1 to 1024 characters',
  valueName: '<password>',
  disclosure: 'secret',
};

/** As `Authorization: ApiKey …` carries it. */
const API_KEY: ValueKind<string> = {
  schema: z.string().regex(/^[A-Za-z0-9+/=_-]{1,1024}$/),
  allowed: 'the encoded key, base64',
  valueName: '<key>',
  disclosure: 'secret',
};

/** Options of every service that talks to an OpenSearch cluster. */
export const OPENSEARCH_OPTIONS = {
  openSearchUrls: option(
    {
      key: 'weir.opensearch.urls',
      name: 'opensearch-urls',
      what: 'With engine opensearch: where its nodes answer HTTP.',
    },
    URLS,
    [],
  ),
  openSearchUsername: optionalOption(
    {
      key: 'weir.opensearch.username',
      name: 'opensearch-username',
      what: 'Whose rights this service itself reads the state and stats of OpenSearch with; never used for requests of clients.',
    },
    USER,
  ),
  openSearchPassword: optionalOption(
    { key: 'weir.opensearch.password', name: 'opensearch-password', what: 'Password of that user.' },
    PASSWORD,
  ),
  openSearchApiKey: optionalOption(
    {
      key: 'weir.opensearch.api_key',
      name: 'opensearch-api-key',
      what: 'API key to read with instead of a user and password.',
    },
    API_KEY,
  ),
  openSearchCaFile: optionalOption(
    {
      key: 'weir.opensearch.ca_file',
      name: 'opensearch-ca-file',
      what: 'PEM file of the authorities that signed the certificates of OpenSearch; by default those Node.js trusts.',
    },
    PATH,
  ),
};

export type OpenSearchFields = z.infer<z.ZodObject<typeof OPENSEARCH_OPTIONS>>;

/** The origin a text names, or undefined where it is none or names more than an origin. */
function originOf(text: string): string | undefined {
  const { protocol, origin, pathname, username, password, search, hash } = URL.canParse(text)
    ? new URL(text)
    : NOT_A_URL;
  const more = `${username}${password}${search}${hash}`;
  return /^https?:$/.test(protocol) && pathname === '/' && more === '' ? origin : undefined;
}
