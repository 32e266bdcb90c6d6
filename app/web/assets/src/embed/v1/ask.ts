// One request for each address at a time, whoever asks.
export interface Answer {
  status: number; // 0: nothing came, or not all of it
  text: string;
  head: Headers;
}

const asking = new Map<string, Promise<Answer>>();

export function ask(url: string): Promise<Answer> {
  let answer = asking.get(url);
  if (!answer) {
    answer = get(url).finally(() => asking.delete(url));
    asking.set(url, answer);
  }
  return answer;
}

async function get(url: string): Promise<Answer> {
  try {
    const response = await fetch(url, { credentials: "omit", signal: AbortSignal.timeout(20_000) });
    return { status: response.status, text: await response.text(), head: response.headers };
  } catch {
    return { status: 0, text: "", head: new Headers() };
  }
}
