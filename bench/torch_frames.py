"""Pictures as torch tensors, for the benchmarks of the Python package."""

import torch


def moving_frame(width, height, seed, device):
    """Stripes that move with the seed, and noise, 8 bit 4:2:0."""
    generator = torch.Generator(device=device).manual_seed(seed)
    planes = []
    for columns, rows in ((width, height), (width // 2, height // 2), (width // 2, height // 2)):
        y, x = torch.meshgrid(torch.arange(rows, device=device), torch.arange(columns, device=device), indexing="ij")
        noise = torch.randint(0, 16, (rows, columns), generator=generator, device=device)
        planes.append(((x * 3 + y * 5 + seed) % 200 + noise).to(torch.uint8))
    return planes
