// A camera that reads barcodes: by the browser's own detector if it has one that reads them, else by zxing, which is loaded then.

const formats = ["ean_13", "upc_a", "ean_8", "code_128"];

interface Detector {
  detect(source: CanvasImageSource): Promise<{ rawValue: string }[]>;
}

interface DetectorMaker {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

type Read = (canvas: HTMLCanvasElement) => Promise<string>;

const every = 120; // milliseconds between two pictures
const away = 1000; // a code counts again after it was out of sight for this long,
const pictures = 3; // in so many pictures at least: a slow device reads fewer than one in that time
const widest = 1024; // pixels of a picture

export class Camera {
  private stream: MediaStream | null = null;
  private ended = false;

  constructor(
    private readonly video: HTMLVideoElement,
    private readonly zxing: string, // address of its script
    private readonly found: (code: string) => void,
  ) {}

  // start asks for the camera and reads until stop. It fails without one, and if it is not allowed.
  async start(): Promise<void> {
    const [read, stream] = await Promise.all([
      this.reader(),
      navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment", width: { ideal: 1280 } }, audio: false }),
    ]);
    this.stream = stream;
    if (this.ended) {
      this.stop();
      return;
    }
    this.video.srcObject = stream;
    await this.video.play();
    void this.watch(read);
  }

  stop(): void {
    this.ended = true;
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.video.srcObject = null;
  }

  private async reader(): Promise<Read> {
    const own = (globalThis as { BarcodeDetector?: DetectorMaker }).BarcodeDetector;
    if (own && (await own.getSupportedFormats()).includes("ean_13")) {
      const detector = new own({ formats });
      return async (canvas) => (await detector.detect(canvas))[0]?.rawValue ?? "";
    }
    const { read } = (await import(this.zxing)) as { read: (picture: ImageData) => string };
    return async (canvas) => read(canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height));
  }

  private async watch(read: Read): Promise<void> {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d", { willReadFrequently: true })!;
    let last = "";
    let seen = 0;
    let missed = 0; // pictures since then
    while (!this.ended) {
      const { videoWidth: wide, videoHeight: high } = this.video;
      if (wide > 0) {
        canvas.width = Math.min(wide, widest);
        canvas.height = Math.round((high * canvas.width) / wide);
        pen.drawImage(this.video, 0, 0, canvas.width, canvas.height);
        const code = await read(canvas).catch(() => "");
        const now = performance.now();
        if (code && !this.ended) {
          if (code !== last || (missed >= pictures && now - seen > away)) this.found(code);
          last = code;
          seen = now;
          missed = 0;
        } else {
          missed++;
        }
      }
      await new Promise((done) => setTimeout(done, every));
    }
  }
}
