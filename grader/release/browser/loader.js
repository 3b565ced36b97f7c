/* Fetches what Python needs, and checks each file's digest. */
export const load = async (wanted, tell) => {
  let bytes = 0;
  const one = async ([name, { from, integrity, packed }]) => {
    const response = await fetch(from, { integrity });
    if (!response.ok) throw new Error(`${from}: ${response.status}`);
    const whole = await response.arrayBuffer();
    bytes += whole.byteLength;
    tell(bytes);
    if (!packed) return [name, whole];
    const unpacked = new Blob([whole]).stream().pipeThrough(new DecompressionStream("gzip"));
    return [name, await new Response(unpacked).arrayBuffer()];
  };
  return Object.fromEntries(await Promise.all(Object.entries(wanted).map(one)));
};
