/** Exports the graph as SVG text or as a PNG in Base64. Requires a browser. */
import { standalone, themed } from './svg.ts';

export async function exported(source: string, format: 'svg' | 'png'): Promise<string | undefined> {
  const svg = standalone(themed(source));
  return format === 'svg' ? svg : png(svg);
}

async function png(svg: string): Promise<string | undefined> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  // Twice the size, for high-resolution screens and documents.
  canvas.width = Math.ceil(image.naturalWidth * 2);
  canvas.height = Math.ceil(image.naturalHeight * 2);
  const context = canvas.getContext('2d');
  if (!context) return undefined;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').split(',')[1];
}
