/** adit: HTML pages to Markdown, text and canonical JSON. The same page gives the same bytes in every runtime. */

export type Format = "scp" | "tct" | "text" | "md" | "html";

export interface Options<F extends Format = Format> {
  /** The page's address, absolute; without it, what the page states (canonical, og:url). */
  url?: string;
  /** What to write; default "md". */
  formats?: F | readonly F[];
  /** Markdown begins with title, url, author and more, as YAML. */
  frontMatter?: boolean;
  /** Of the response: Content-Type (of bytes), Content-Language, Last-Modified, X-Robots-Tag count. */
  headers?: Headers | Map<string, string> | Record<string, string | string[]>;
  /** When the page was fetched, RFC 3339. */
  date?: string;
  /** The language, if nothing says it: BCP 47. */
  language?: string;
  /** Everything that is visible, not the main content only. */
  whole?: boolean;
}

/** What a page says of itself; "" where it says nothing. */
export interface Facts {
  url: string;
  title: string;
  description: string;
  author: string;
  published: string;
  modified: string;
  /** BCP 47; "und": unknown. */
  language: string;
  canonical: string;
  siteName: string;
  charset: string;
  noindex: boolean;
  noarchive: boolean;
  nofollow: boolean;
  /** Some use by machines is refused: noai, tdm-reservation and the like. */
  optout: boolean;
  /** The ETag of the page's machine view: "sha256-" and 64 digits. */
  fingerprint: string;
}

export type Page<F extends Format = "md"> = Facts & { [K in F]: string };

export interface Finding {
  rule: string;
  severity: "fatal" | "skip" | "drop" | "warn";
  what: string;
  advice: string;
  line?: number;
  column?: number;
  member?: string;
  index?: number;
  detail?: string;
  value?: string;
}

export interface Report {
  kind: string;
  valid: boolean;
  findings: Finding[];
}

export class AditError extends Error {
  code: "NO_MEMORY" | "TOO_LARGE" | "BAD_URL" | "NOT_HTML" | "NO_CONTENT" | "BAD_INPUT" | "UNKNOWN" | "NO_PAGE";
}

/** Converts a page: bytes in any charset, or a text. Throws AditError. */
export function convert<F extends Format = "md">(html: string | Uint8Array | ArrayBuffer, options?: Options<F>): Page<F>;
/** The fingerprint of a JSON payload (method "a") or of a content string ("b"). */
export function fingerprint(input: string | Uint8Array, options?: { method?: "a" | "b" }): string;
/** Judges a TCT payload or sitemap, an SCP collection or page, a manifest. Throws AditError UNKNOWN for anything else. */
export function check(document: string | Uint8Array): Report;
export const version: string;
/** The same rules give the same bytes. */
export const rulesVersion: string;
