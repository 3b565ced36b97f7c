/* Makes a zip of texts by name, stored as they are: without Python, which may be out of reach. */
const TABLE = Uint32Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});
const checksum = (bytes) => {
  let value = -1;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
};
/* Numbers of two bytes each, or four where they are given in a list, lowest byte first. */
const packed = (...numbers) => new Uint8Array(numbers.flatMap((number) => {
  const [value, size] = Array.isArray(number) ? [number[0], 4] : [number, 2];
  return Array.from({ length: size }, (_, place) => (value >>> (8 * place)) & 255);
}));
const UTF_8 = 0x0800;
const FIRST_DAY = 0x21; /* 1980-01-01, so that equal files make equal zips */
const UNIX = 3 << 8;
const A_FILE = 0o100644 * 2 ** 16;

export const zipped = (files) => {
  const encoder = new TextEncoder();
  const [parts, directory] = [[], []];
  let size = 0;
  for (const [name, text] of [...files].sort()) {
    const [path, content] = [encoder.encode(name), encoder.encode(text)];
    const about = packed(20, UTF_8, 0, 0, FIRST_DAY, [checksum(content)], [content.length], [content.length], path.length, 0);
    directory.push(packed([0x02014b50], UNIX + 20), about, packed(0, 0, 0, [A_FILE], [size]), path);
    parts.push(packed([0x04034b50]), about, path, content);
    size += 4 + about.length + path.length + content.length;
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0);
  const count = directory.length / 4;
  return new Blob([...parts, ...directory, packed([0x06054b50], 0, 0, count, count, [length], [size], 0)], { type: "application/zip" });
};
