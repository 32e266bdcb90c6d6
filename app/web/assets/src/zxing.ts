// Reads barcodes in pictures, for browsers without a BarcodeDetector. The scanner loads it when its camera is switched on.
import {
  BarcodeFormat, BinaryBitmap, DecodeHintType, HybridBinarizer, MultiFormatReader, RGBLuminanceSource,
} from "./vendor/zxing.js";

const reader = new MultiFormatReader();
reader.setHints(new Map<DecodeHintType, unknown>([
  [DecodeHintType.POSSIBLE_FORMATS, [BarcodeFormat.EAN_13, BarcodeFormat.UPC_A, BarcodeFormat.EAN_8, BarcodeFormat.CODE_128]],
  [DecodeHintType.TRY_HARDER, true],
]));

// read returns the code in a picture; empty if there is none.
export function read(picture: ImageData): string {
  const { data, width, height } = picture;
  const grey = new Uint8ClampedArray(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) grey[i] = (data[at]! * 306 + data[at + 1]! * 601 + data[at + 2]! * 117) >> 10;
  try {
    return reader.decodeWithState(new BinaryBitmap(new HybridBinarizer(new RGBLuminanceSource(grey, width, height)))).getText();
  } catch {
    return ""; // it throws when it finds nothing
  }
}
